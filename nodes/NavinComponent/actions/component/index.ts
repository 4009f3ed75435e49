import { defineResource, type RunsOf } from '../../../shared/operation';
import * as configure from './configure.operation';
import * as get from './get.operation';
import * as getAll from './getAll.operation';
import * as install from './install.operation';
import * as remove from './remove.operation';
import * as restart from './restart.operation';
import * as rollingRestart from './rollingRestart.operation';
import * as scale from './scale.operation';
import * as setMaintenance from './setMaintenance.operation';
import * as start from './start.operation';
import * as stop from './stop.operation';
import * as wait from './wait.operation';

export const description = defineResource({
  name: 'Component',
  value: 'component',
  operations: [
    configure.description,
    get.description,
    getAll.description,
    install.description,
    remove.description,
    restart.description,
    rollingRestart.description,
    scale.description,
    setMaintenance.description,
    start.description,
    stop.description,
    wait.description,
  ],
});

export const runs: RunsOf<typeof description> = {
  configure: configure.run,
  get: get.run,
  getAll: getAll.run,
  install: install.run,
  remove: remove.run,
  restart: restart.run,
  rollingRestart: rollingRestart.run,
  scale: scale.run,
  setMaintenance: setMaintenance.run,
  start: start.run,
  stop: stop.run,
  wait: wait.run,
};
