curl "https://SITE/api/v1/games/?show=running"
curl "https://SITE/api/v1/games/GAME/"
