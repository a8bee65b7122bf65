#!/bin/bash
# manifests.sh FOLDER NAME PORT CERTIFICATE: CRDs and webhook configurations of one manager, pointed at a port on loopback instead of a
# Service, and labelled with the contract that the CRDs keep. Relies on the shape in which their generator writes them.
set -euo pipefail
folder=$1 name=$2 url=https://127.0.0.1:$3 ca=$(base64 -w0 <"$4")
for crd in "$folder"/*.yaml; do
  awk -v client="{url: $url/convert, caBundle: $ca}" '
    /^metadata:$/ { inside = 1 }
    inside && /^  name: / {
      print "  labels: {cluster.x-k8s.io/v1beta1: v1beta1, cluster.x-k8s.io/v1beta2: v1beta2}"
      inside = 0
    }
    { print }
    /^spec:$/ && !done { print "  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: " client "}}"; done = 1 }
  ' "$crd"
done
awk -v name="$name" -v url="$url" -v ca="$ca" '
  /^  name: (mutating|validating)-webhook-configuration$/ { print $0 "-" name; next }
  /^    service:$/ { service = 1; next }
  service && /^      (name|namespace):/ { next }
  service && /^      path:/ { print "    url: " url $2; print "    caBundle: " ca; service = 0; next }
  { print }
' "$folder/webhooks"
