#!/bin/sh
# Makes the secrets of a new installation; those that are there stay. The folder is for its owner alone, the files in it
# are not, because each container reads them as a user of its own.
set -eu
cd "$(dirname "$0")"
mkdir -p -m 700 secrets
chmod 700 secrets

random() { od -An -N 24 -tx1 /dev/urandom | tr -d ' \n'; }
make() {
  if [ ! -s "secrets/$1" ]; then
    printf %s "$2" > "secrets/$1.new"
    chmod 444 "secrets/$1.new"
    mv "secrets/$1.new" "secrets/$1"
    echo "made secrets/$1"
  fi
}

make postgres_password "$(random)"
make docent_database_password "$(random)"
make database_url "postgresql://docent:$(cat secrets/docent_database_password)@postgres:5432/docent"
make s3_access_key_id "$(random)"
make s3_secret_access_key "$(random)"
make owner_key "dct_$(random)"
echo "The owner's API key is in $PWD/secrets/owner_key"
