{{- define "ingress.fullname" -}}
{{ .Release.Name }}-controller
{{- end -}}

{{- define "ingress.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: controller
{{- end -}}

{{- define "ingress.labels" -}}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{ include "ingress.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}
