{{/* The reference of an image, from a global registry if there is one. */}}
{{- define "common.images.image" -}}
{{- $registry := default .image.registry (.global).imageRegistry -}}
{{- if .image.digest -}}
{{- printf "%s/%s@%s" $registry .image.repository .image.digest -}}
{{- else -}}
{{- printf "%s/%s:%s" $registry .image.repository (.image.tag | toString) -}}
{{- end -}}
{{- end -}}
