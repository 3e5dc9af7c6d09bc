curl -X POST -H "Authorization: Bearer dip_…" -H "Content-Type: application/json" \
  -H "Idempotency-Key: 6f1d3c1e-9a52-4b0e-8a63-2f1c7a4d9e10" \
  -d '{"name": "Rapallo", "variant": "1926", "gm_plays": true, "own_bots": true, "all_ready": true, "bots": 6}' \
  "https://SITE/api/v1/games/"
curl -X POST -H "Authorization: Bearer dip_…" -H "Content-Type: application/json" \
  -d '{"reason": "A holiday."}' "https://SITE/api/v1/games/GAME/gm/pause/"
curl -X POST -H "Authorization: Bearer dip_…" "https://SITE/api/v1/games/GAME/gm/resume/"
