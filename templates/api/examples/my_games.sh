curl -H "Authorization: Bearer dip_…" "https://SITE/api/v1/games/?show=mine"
