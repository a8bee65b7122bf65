# Sourced by the scripts here: where the Cluster API lab lives and what it consists of.
PART="Cluster API"
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/mainstay/cluster-api
RUN=${RUN:-${MAINSTAY_LAB_CLUSTER_API:-$CACHE/run}}
. "$(dirname "${BASH_SOURCE[0]}")/../processes.sh"

# Each manager and its folder in the module.
managers=(core kubeadm-bootstrap kubeadm-control-plane)
folder_of() { case $1 in core) echo core ;; kubeadm-bootstrap) echo bootstrap/kubeadm ;; kubeadm-control-plane) echo controlplane/kubeadm ;; esac; }
