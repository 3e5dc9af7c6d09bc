"""Whether the site can serve: it answers 200 when both servers behind it answer, else 503."""

from django.core.cache import cache
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from redis.exceptions import RedisError


def database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def redis_answers() -> bool:
    try:
        cache.get("healthz")
    except RedisError:
        return False
    return True


@never_cache
def healthz(_request: HttpRequest) -> JsonResponse:
    answers = {"database": database_answers(), "redis": redis_answers()}
    return JsonResponse(answers, status=200 if all(answers.values()) else 503)
