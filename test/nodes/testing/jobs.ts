/** A Job of one container whose image says how its pods behave. */
export function jobManifest(name: string, image: string, spec: object = {}): object {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, labels: { app: name } },
    spec: {
      backoffLimit: 0,
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image }] } },
      ...spec,
    },
  };
}
