/** The program: flags, the cluster, files of registries, and how an operator is put together from them. */
export { parseOptions, type ProgramOptions } from './options';
export { runProgram } from './program';
export { runOperator, type RunningOperator, type Surroundings } from './runOperator';
