{{- define "queue.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}{{ .Release.Name }}{{- else -}}{{ .Release.Name }}-{{ .Chart.Name }}{{- end -}}
{{- end -}}

{{- define "queue.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "queue.labels" -}}
{{ include "queue.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{/* The members by name, as the others reach them. */}}
{{- define "queue.members" -}}
{{- range $index := until (int .Values.replicas) }}
cluster_formation.classic_config.nodes.{{ add1 $index }} = rabbit@{{ include "queue.fullname" $ }}-{{ $index }}.{{ include "queue.fullname" $ }}-members.{{ $.Release.Namespace }}.svc.{{ $.Values.clusterDomain }}
{{- end }}
{{- end -}}
