{{/* What a role is called everywhere: RELEASE-scheduler, -controller, -webhook, -descheduler, -dashboard. */}}
{{- define "basalt.name" -}}{{ .root.Release.Name }}-{{ .role }}{{- end }}

{{/* Volcano's chart calls the webhook's values admission_…. */}}
{{- define "basalt.prefix" -}}{{ if eq .role "webhook" }}admission{{ else }}{{ .role }}{{ end }}{{- end }}

{{- define "basalt.selector" -}}
app.kubernetes.io/name: basalt
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "basalt.commonLabels" -}}
app.kubernetes.io/name: basalt
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- with .Values.custom.common_labels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "basalt.labels" -}}
{{ include "basalt.commonLabels" .root }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{/* registry/name:tag; a role's own name and tag before the common ones. */}}
{{- define "basalt.image" -}}
{{- $basic := .root.Values.basic }}
{{- $prefix := include "basalt.prefix" . }}
{{- $name := default $basic.image_name (get $basic (printf "%s_image_name" $prefix)) }}
{{- $tag := default (default .root.Chart.AppVersion $basic.image_tag_version) (get $basic (printf "%s_image_tag_version" $prefix)) }}
{{- if regexMatch "volcano.*/vc-" $name }}
{{- fail (printf "basic.%s_image_name is %s, Volcano's image: leave it out of the values, or name Basalt's" $prefix $name) }}
{{- end }}
{{- if $basic.image_registry }}{{ trimSuffix "/" $basic.image_registry }}/{{ end }}{{ $name }}:{{ $tag }}
{{- end }}

{{- define "basalt.account" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "basalt.name" . }}
  namespace: {{ .root.Release.Namespace }}
  labels: {{- include "basalt.labels" . | nindent 4 }}
{{- end }}

{{/* The cluster role of this name goes to the role's account, and the role of this name in the namespace. */}}
{{- define "basalt.bindings" -}}
{{- $name := include "basalt.name" . }}
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: {{ $name }}
  labels: {{- include "basalt.labels" . | nindent 4 }}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: {{ $name }}}
subjects: {{- include "basalt.subjects" . | nindent 0 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: {{ $name }}
  namespace: {{ .root.Release.Namespace }}
  labels: {{- include "basalt.labels" . | nindent 4 }}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: {{ $name }}}
subjects: {{- include "basalt.subjects" . | nindent 0 }}
{{- end }}

{{/* Whose rights these are: the role's account, and Volcano's, under which its Deployments run Basalt's
     image. */}}
{{- define "basalt.subjects" -}}
- {kind: ServiceAccount, name: {{ include "basalt.name" . }}, namespace: {{ .root.Release.Namespace }}}
{{- if .root.Values.custom.volcano_accounts_enable }}
{{- $volcanos := dict "scheduler" "scheduler" "controller" "controllers" "webhook" "admission" }}
{{- with get $volcanos .role }}
- {kind: ServiceAccount, name: volcano-{{ . }}, namespace: {{ $.root.Release.Namespace }}}
{{- end }}
{{- end }}
{{- end }}

{{/* A role's Deployment, its budget, its policy and the Service of its metrics.
     role; args; metricsPort; ports: {NAME: PORT}; volume: {name, configMap or secret, path} */}}
{{- define "basalt.workload" -}}
{{- $root := .root }}
{{- $custom := .root.Values.custom }}
{{- $prefix := include "basalt.prefix" . }}
{{- $name := include "basalt.name" . }}
{{- $replicas := get $custom (printf "%s_replicas" $prefix) }}
{{- $metrics := get $custom (printf "%s_metrics_enable" $prefix) }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  namespace: {{ $root.Release.Namespace }}
  labels:
    {{- include "basalt.labels" . | nindent 4 }}
    {{- with get $custom (printf "%s_labels" $prefix) }}{{ toYaml . | nindent 4 }}{{ end }}
spec:
  replicas: {{ $replicas }}
  selector:
    matchLabels: {{- include "basalt.selector" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "basalt.labels" . | nindent 8 }}
        {{- with get $custom (printf "%s_podLabels" $prefix) }}{{ toYaml . | nindent 8 }}{{ end }}
    spec:
      serviceAccountName: {{ $name }}
      {{- with $custom.priority_class_name }}
      priorityClassName: {{ . }}
      {{- end }}
      {{- with $root.Values.basic.image_pull_secret }}
      imagePullSecrets: [{name: {{ . }}}]
      {{- end }}
      {{- with default $custom.default_ns (get $custom (printf "%s_ns" $prefix)) }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with default $custom.default_tolerations (get $custom (printf "%s_tolerations" $prefix)) }}
      tolerations: {{- toYaml . | nindent 8 }}
      {{- end }}
      affinity:
        {{- with default $custom.default_affinity (get $custom (printf "%s_affinity" $prefix)) }}
        {{- toYaml . | nindent 8 }}
        {{- else }}
        podAntiAffinity:
          preferredDuringSchedulingIgnoredDuringExecution:
          - weight: 100
            podAffinityTerm:
              topologyKey: kubernetes.io/hostname
              labelSelector:
                matchLabels: {{- include "basalt.selector" . | nindent 18 }}
        {{- end }}
      {{- with default $custom.default_sc (get $custom (printf "%s_sc" $prefix)) }}
      securityContext: {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
      - name: {{ .role }}
        image: {{ include "basalt.image" . }}
        imagePullPolicy: {{ $root.Values.basic.image_pull_policy }}
        args:
        - {{ .role }}
        {{- range .args }}
        - {{ . | quote }}
        {{- end }}
        - "--healthz-address=:11251"
        {{- if $metrics }}
        - "--listen-address=:{{ .metricsPort }}"
        {{- end }}
        - "--log-format={{ $custom.log_format }}"
        - "--v={{ get $custom (printf "%s_log_level" $prefix) }}"
        {{- range get $custom (printf "%s_args" $prefix) }}
        - {{ . | quote }}
        {{- end }}
        env:
        - name: POD_IP
          valueFrom: {fieldRef: {fieldPath: status.podIP}}
        ports:
        - {name: health, containerPort: 11251}
        {{- if $metrics }}
        - {name: metrics, containerPort: {{ .metricsPort }}}
        {{- end }}
        {{- range $port, $number := .ports }}
        - {name: {{ $port }}, containerPort: {{ $number }}}
        {{- end }}
        startupProbe:
          httpGet: {path: /healthz, port: health}
          periodSeconds: 2
          failureThreshold: 60
        livenessProbe:
          httpGet: {path: /healthz, port: health}
          periodSeconds: 15
          timeoutSeconds: 5
          failureThreshold: 4
        readinessProbe:
          httpGet: {path: /readyz, port: health}
          periodSeconds: 5
          timeoutSeconds: 5
        {{- with get $custom (printf "%s_resources" $prefix) }}
        resources: {{- toYaml . | nindent 10 }}
        {{- end }}
        {{- with default $custom.default_csc (get $custom (printf "%s_main_csc" $prefix)) }}
        securityContext: {{- toYaml . | nindent 10 }}
        {{- end }}
        volumeMounts:
        - {name: tmp, mountPath: /tmp}
        {{- with .volume }}
        - {name: {{ .name }}, mountPath: {{ .path }}, readOnly: true}
        {{- end }}
      volumes:
      - {name: tmp, emptyDir: {sizeLimit: 64Mi}}
      {{- with .volume }}
      - {name: {{ .name }}, {{ if .secret }}secret: {secretName: {{ .secret }}}{{ else }}configMap: {name: {{ .configMap }}}{{ end }}}
      {{- end }}
{{- if and $custom.pod_disruption_budget_enable (gt (int $replicas) 1) }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  namespace: {{ $root.Release.Namespace }}
  labels: {{- include "basalt.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{- include "basalt.selector" . | nindent 6 }}
{{- end }}
{{- if $custom.network_policy_enable }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ $name }}
  namespace: {{ $root.Release.Namespace }}
  labels: {{- include "basalt.labels" . | nindent 4 }}
spec:
  podSelector:
    matchLabels: {{- include "basalt.selector" . | nindent 6 }}
  policyTypes: [Ingress]
  ingress:
  - ports:
    - {protocol: TCP, port: 11251}
    {{- if $metrics }}
    - {protocol: TCP, port: {{ .metricsPort }}}
    {{- end }}
    {{- range $port, $number := .ports }}
    - {protocol: TCP, port: {{ $number }}}
    {{- end }}
{{- end }}
{{- if $metrics }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ $name }}-metrics
  namespace: {{ $root.Release.Namespace }}
  labels: {{- include "basalt.labels" . | nindent 4 }}
  annotations:
    prometheus.io/scrape: "true"
    prometheus.io/path: /metrics
    prometheus.io/port: {{ .metricsPort | quote }}
spec:
  {{- include "basalt.ipFamilies" $root | nindent 2 }}
  clusterIP: None
  selector: {{- include "basalt.selector" . | nindent 4 }}
  ports:
  - {name: metrics, port: {{ .metricsPort }}, targetPort: metrics}
{{- if $custom.service_monitor_enable }}
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata:
  name: {{ $name }}
  namespace: {{ $root.Release.Namespace }}
  labels: {{- include "basalt.labels" . | nindent 4 }}
spec:
  selector:
    matchLabels: {{- include "basalt.selector" . | nindent 6 }}
  endpoints:
  - {port: metrics}
{{- end }}
{{- end }}
{{- end }}

{{- define "basalt.ipFamilies" -}}
{{- with .Values.service.ipFamilyPolicy }}
ipFamilyPolicy: {{ . }}
{{- end }}
{{- with .Values.service.ipFamilies }}
ipFamilies: {{- toYaml . | nindent 0 }}
{{- end }}
type: ClusterIP
{{- end }}

{{/* --leader-elect and where the lease is. */}}
{{- define "basalt.election" -}}
--leader-elect={{ .Values.custom.leader_elect_enable }}
{{- end }}
