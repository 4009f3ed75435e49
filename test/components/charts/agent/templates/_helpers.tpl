{{- define "agent.fullname" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name }}{{ end }}
{{- end -}}

{{- define "agent.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "agent.labels" -}}
{{ include "agent.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{/* What the collector does, put together from values and presets. */}}
{{- define "agent.config" -}}
{{- $config := deepCopy .Values.config -}}
{{- $headers := ternary (dict "authorization" "Bearer ${env:TOKEN}") dict (ne .Values.existingSecret "") -}}
{{- $_ := set $config "exporters" (dict "otlphttp" (dict "endpoint" .Values.exporter.endpoint "headers" $headers)) -}}
{{- if .Values.presets.logs -}}
{{- $_ := set $config.receivers "filelog" (dict "include" (list "/var/log/pods/*/*/*.log")) -}}
{{- end -}}
{{- if .Values.presets.kubernetesAttributes -}}
{{- $_ := set $config.processors "k8sattributes" dict -}}
{{- end -}}
{{- toYaml $config -}}
{{- end -}}

{{- define "agent.pod" -}}
metadata:
  labels:
    {{- include "agent.labels" . | nindent 4 }}
    {{- with .Values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    checksum/config: {{ include "agent.config" . | sha256sum }}
spec:
  serviceAccountName: {{ include "agent.fullname" . }}
  automountServiceAccountToken: {{ .Values.presets.kubernetesAttributes }}
  {{- if .Values.hostNetwork }}
  hostNetwork: true
  dnsPolicy: ClusterFirstWithHostNet
  {{- end }}
  securityContext:
    runAsNonRoot: {{ not .Values.presets.logs }}
    runAsUser: {{ ternary 0 10001 .Values.presets.logs }}
    seccompProfile: { type: RuntimeDefault }
  containers:
    - name: collector
      image: "{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}"
      args: [--config=/conf/relay.yaml]
      env:
        - name: MY_POD_IP
          valueFrom: { fieldRef: { fieldPath: status.podIP } }
        - name: GOMEMLIMIT
          valueFrom: { resourceFieldRef: { containerName: collector, resource: limits.memory } }
        {{- with .Values.existingSecret }}
        - name: TOKEN
          valueFrom: { secretKeyRef: { name: {{ . }}, key: token } }
        {{- end }}
      ports:
        {{- range $name, $port := .Values.ports }}
        {{- if $port.enabled }}
        - name: {{ $name }}
          containerPort: {{ $port.containerPort }}
          {{- with $port.hostPort }}
          hostPort: {{ . }}
          {{- end }}
        {{- end }}
        {{- end }}
      readinessProbe: { httpGet: { path: /, port: 13133 } }
      livenessProbe: { httpGet: { path: /, port: 13133 } }
      resources: {{- toYaml .Values.resources | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      volumeMounts:
        - { name: config, mountPath: /conf }
        {{- if .Values.presets.logs }}
        - { name: varlogpods, mountPath: /var/log/pods, readOnly: true }
        {{- end }}
        {{- if .Values.presets.hostMetrics }}
        - { name: hostfs, mountPath: /hostfs, readOnly: true }
        {{- end }}
  volumes:
    - name: config
      configMap: { name: {{ include "agent.fullname" . }}, items: [{ key: relay, path: relay.yaml }] }
    {{- if .Values.presets.logs }}
    - name: varlogpods
      hostPath: { path: /var/log/pods }
    {{- end }}
    {{- if .Values.presets.hostMetrics }}
    - name: hostfs
      hostPath: { path: / }
    {{- end }}
  {{- with .Values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
