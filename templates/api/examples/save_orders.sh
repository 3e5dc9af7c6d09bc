curl -H "Authorization: Bearer dip_…" "https://SITE/api/v1/games/GAME/sheet/"
curl -X PUT -H "Authorization: Bearer dip_…" -H "Content-Type: application/json" \
  -d '{"ordinal": 0, "after": "", "text": "A Mun-Cze\n2: A Aus S A Mun-Cze"}' \
  "https://SITE/api/v1/games/GAME/sheet/"
