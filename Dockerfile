FROM python:3.11-slim

ENV DJANGO_SETTINGS_MODULE=diplomacy_site.settings.production \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1

WORKDIR /site
RUN useradd --system --no-create-home --uid 10001 site && install --directory --owner=10001 /pictures

COPY requirements.lock requirements-backups.lock ./
RUN pip install --no-cache-dir --require-hashes --only-binary :all: -r requirements.lock -r requirements-backups.lock

COPY manage.py CHANGELOG.md ./
COPY adjudication adjudication
COPY variants variants
COPY games games
COPY diplomacy_site diplomacy_site
COPY templates templates
COPY static static
RUN python -m compileall -q --invalidation-mode unchecked-hash adjudication variants games diplomacy_site

ARG SITE_VERSION
ENV SITE_VERSION=$SITE_VERSION
RUN python -c "import os, diplomacy_site as it; told = os.environ['SITE_VERSION']; assert told.split('-')[0] == it.__version__, f'SITE_VERSION is {told}, but this is {it.__version__}'"

# The production settings refuse to start without secrets: these are random and only for this command.
RUN SECRET_KEY="$(head -c 48 /dev/urandom | base64 -w 0)" SEALED_KEYS="$(head -c 32 /dev/urandom | base64 -w 0)" \
    DATABASE_URL=postgresql://nowhere/none REDIS_URL=redis://nowhere ALLOWED_HOSTS=nowhere \
    ADMIN_PATH=nowhere DEFAULT_FROM_EMAIL=nobody@localhost EMAIL_HOST=nowhere \
    python manage.py collectstatic --noinput

USER site
EXPOSE 8000
