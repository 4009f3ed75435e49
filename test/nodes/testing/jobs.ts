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

/** A CronJob that never starts by itself while tests run. */
export function cronJobManifest(name: string, image: string, spec: object = {}): object {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name, labels: { app: name } },
    spec: {
      schedule: '0 0 29 2 *',
      jobTemplate: {
        metadata: { labels: { from: name }, annotations: { team: 'shop' } },
        spec: {
          backoffLimit: 0,
          template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image }] } },
        },
      },
      ...spec,
    },
  };
}
