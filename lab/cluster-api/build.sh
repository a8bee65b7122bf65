#!/bin/bash
# Builds Cluster API's three managers (core, kubeadm bootstrap, kubeadm control plane) once for each version from Go modules (go.mod
# here pins them) into the user's cache, with the manifests they need, and prints the folder: 4 minutes on two cores.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/processes.sh"
. "$here/../go.sh"
cd "$here"

version=$(awk '$1 == "sigs.k8s.io/cluster-api" { print $2 }' go.mod)
folder=$CACHE/$version
missing() {
  local name
  for name in "${managers[@]}"; do [ -x "$folder/$name" ] && [ -d "$folder/config/$name" ] || echo "$name"; done
}
done_when_complete() {
  [ -z "$(missing)" ] || return 0
  echo "$folder"
  exit 0
}
done_when_complete

needs flock setsid awk
mkdir -p "$folder/config"
exec 7>"$folder/.lock"
if ! flock -n 7; then
  say "Another build of Cluster API $version is under way: waiting for it"
  flock 7
  done_when_complete
fi

go=$(find_go "Cluster API $version")
estimate() { case $1 in core) echo 200 ;; *) echo 20 ;; esac; }
package_of() { echo "sigs.k8s.io/cluster-api/$(folder_of "$1")"; }
mapfile -t todo < <(for name in "${managers[@]}"; do [ -x "$folder/$name" ] || echo "$name"; done)
[ ${#todo[@]} = 0 ] || build_programs "$go" "$folder" "-s -w" "${todo[@]}"

# CRDs and webhook configurations come with the module; kept beside the programs, so that starting them needs no Go.
"$go" mod download sigs.k8s.io/cluster-api >&2
source=$("$go" list -m -f '{{.Dir}}' sigs.k8s.io/cluster-api)
for name in "${managers[@]}"; do
  from=$source/$(folder_of "$name")/config
  mkdir -p "$folder/config/.$name"
  cp "$from"/crd/bases/*.yaml "$folder/config/.$name/"
  cp "$from/webhook/manifests.yaml" "$folder/config/.$name/webhooks"
  chmod -R u+w "$folder/config/.$name"
  rm -rf "$folder/config/$name"
  mv "$folder/config/.$name" "$folder/config/$name"
done
echo "$folder"
