"""The addresses of the order sheet."""

from django.urls import path

from games.orders.views import orders, published, whatif

urlpatterns = [
    path("check-us/", published.check_us, name="check-us"),
    path("games/<slug:slug>/phases/<int:ordinal>/receipt.txt", published.receipt, name="receipt"),
    path("games/<slug:slug>/record.json", published.record, name="record"),
    path("games/<slug:slug>/bids/", published.bid_table, name="bid-table"),
    path("games/<slug:slug>/try/", whatif.whatif, name="whatif"),
    path("games/<slug:slug>/orders/", orders.orders, name="orders"),
    path("games/<slug:slug>/orders/read/", orders.read, name="read"),
    path("games/<slug:slug>/orders/newest/", orders.newest, name="newest"),
    path("games/<slug:slug>/gm/enter/<str:power>/", orders.orders, name="enter-orders"),
    path("games/<slug:slug>/gm/enter/<str:power>/read/", orders.read, name="read-entered"),
    path("games/<slug:slug>/gm/enter/<str:power>/newest/", orders.newest, name="newest-entered"),
    path("games/<slug:slug>/orders/ready/", orders.ready, name="ready"),
]
