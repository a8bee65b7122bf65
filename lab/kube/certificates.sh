# Sourced by up.sh: certificates, tokens and kubeconfigs under $RUN. What is there and good for another week is kept.

certificates_good() {
  local name
  for name in ca apiserver admin kcm; do
    [ -s "$RUN/pki/$name.key" ] && openssl x509 -checkend $((7 * 24 * 3600)) -noout -in "$RUN/pki/$name.crt" >/dev/null 2>&1 || return 1
  done
}

make_certificates() (
  cd "$RUN/pki"
  umask 077
  key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1.key"; }
  signed() { # name subject extensions
    key "$1"
    openssl req -new -key "$1.key" -subj "$2" -out "$1.csr"
    openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days 365 -extfile <(printf '%b' "$3") -out "$1.crt"
    rm -f "$1.csr"
  }
  {
    key ca
    openssl req -x509 -new -key ca.key -subj /CN=mainstay-lab -days 365 -out ca.crt
    signed apiserver /CN=kube-apiserver "subjectAltName=IP:127.0.0.1,IP:10.96.0.1,DNS:localhost,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc\nextendedKeyUsage=serverAuth\n"
    signed admin /O=system:masters/CN=admin "extendedKeyUsage=clientAuth\n"
    signed kcm /CN=system:kube-controller-manager "extendedKeyUsage=clientAuth\n"
  } 2>openssl.log || { cat openssl.log >&2; exit 1; }
)

# The service accounts' key and the tokens live as long as $RUN: data kept in etcd stays usable.
make_keys_and_tokens() (
  cd "$RUN/pki"
  umask 077
  [ -s sa.pub ] || { openssl genrsa -out sa.key 2048 2>/dev/null && openssl rsa -in sa.key -pubout -out sa.pub 2>/dev/null; }
  [ -s admin.token ] || openssl rand -hex 16 >admin.token
  [ -s controller.token ] || openssl rand -hex 16 >controller.token
  printf '%s,admin-token,uid-admin,"system:masters"\n%s,controller,uid-controller,"controllers"\n' \
    "$(cat admin.token)" "$(cat controller.token)" >tokens.csv
)

write_kubeconfigs() (
  cd "$RUN/pki"
  umask 077
  config() { # file user credentials
    cat >"$RUN/$1.new" <<CONFIG
apiVersion: v1
kind: Config
clusters: [{name: lab, cluster: {server: "https://127.0.0.1:$APIPORT", certificate-authority-data: "$(base64 -w0 <ca.crt)"}}]
users: [{name: $2, user: $3}]
contexts: [{name: lab, context: {cluster: lab, user: $2}}]
current-context: lab
CONFIG
    mv "$RUN/$1.new" "$RUN/$1"
  }
  pair() { echo "{client-certificate-data: \"$(base64 -w0 <"$1.crt")\", client-key-data: \"$(base64 -w0 <"$1.key")\"}"; }
  config kubeconfig admin "$(pair admin)"
  config kubeconfig.token admin "{token: \"$(cat admin.token)\"}"
  config kubeconfig.controller controller "{token: \"$(cat controller.token)\"}"
  config kubeconfig.kcm kcm "$(pair kcm)"
)
