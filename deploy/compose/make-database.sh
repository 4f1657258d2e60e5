#!/bin/sh
# PostgreSQL runs this once, on an empty volume. Docent gets a role of its own that owns its database and is nothing more:
# row level security does not hold a superuser, nor a role with BYPASSRLS.
set -eu
psql --no-psqlrc --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres <<'SQL'
\set password `cat /run/secrets/docent_database_password`
create role docent login nosuperuser nocreatedb nocreaterole nobypassrls noreplication password :'password';
create database docent owner docent;
revoke all on database docent from public;
SQL
