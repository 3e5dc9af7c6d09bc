curl -H "Authorization: Bearer dip_…" "https://SITE/api/v1/changes/"
curl -N -H "Authorization: Bearer dip_…" "https://SITE/events/"
