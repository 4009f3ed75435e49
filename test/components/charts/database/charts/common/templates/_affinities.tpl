{{/* Prefers, or demands, that Pods are on different nodes. */}}
{{- define "common.affinities.pods" -}}
{{- if eq .type "hard" }}
requiredDuringSchedulingIgnoredDuringExecution:
  - topologyKey: kubernetes.io/hostname
    labelSelector:
      matchLabels: {{- include "common.labels.matchLabels" .context | nindent 8 }}
{{- else }}
preferredDuringSchedulingIgnoredDuringExecution:
  - weight: 1
    podAffinityTerm:
      topologyKey: kubernetes.io/hostname
      labelSelector:
        matchLabels: {{- include "common.labels.matchLabels" .context | nindent 10 }}
{{- end }}
{{- end -}}
