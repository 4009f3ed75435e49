{{- define "database.secretName" -}}
{{- if .Values.auth.existingSecret -}}
{{- tpl .Values.auth.existingSecret . -}}
{{- else -}}
{{- include "common.names.fullname" . -}}
{{- end -}}
{{- end -}}

{{- define "database.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "common.names.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/* The password that is there already, the one that is given, or a new one. */}}
{{- define "database.password" -}}
{{- $secret := lookup "v1" "Secret" .Release.Namespace (include "common.names.fullname" .) -}}
{{- if $secret -}}
{{- index $secret.data "password" | b64dec -}}
{{- else -}}
{{- default (randAlphaNum 16) .Values.auth.password -}}
{{- end -}}
{{- end -}}

{{/* Refuses what cannot be meant. */}}
{{- define "database.validate" -}}
{{- if and (gt (int .Values.replicaCount) 1) (not .Values.persistence.enabled) -}}
{{- fail "\n\ndatabase: replicas need persistence" -}}
{{- end -}}
{{- end -}}
