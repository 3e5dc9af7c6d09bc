curl -X PUT -H "Authorization: Bearer dip_…" -H "Content-Type: application/json" \
  -d '{"ordinal": 0, "ready": true}' "https://SITE/api/v1/games/GAME/ready/"
curl -X PUT -H "Authorization: Bearer dip_…" -H "Content-Type: application/json" \
  -d '{"agrees": true}' "https://SITE/api/v1/games/GAME/proposals/1/vote/"
curl -X POST -H "Authorization: Bearer dip_…" -H "Content-Type: application/json" \
  -d '{"text": "Good luck to you all."}' "https://SITE/api/v1/games/GAME/talk/everybody/"
