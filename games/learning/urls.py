"""The addresses of learning to play."""

from django.urls import path

from games.learning import views

urlpatterns = [
    path("variants/", views.variants, name="variants"),
    path("variants/<variant:slug>/", views.variant, name="variant"),
    path("glossary/", views.glossary, name="glossary"),
    path("learn/", views.learn, name="learn"),
    path("learn/<int:number>/", views.lesson_by_number, name="lesson-by-number"),
    path("learn/<slug:name>/", views.lesson, name="lesson"),
    path("learn/orders/<slug:form>/", views.order_form, name="order-form"),
]
