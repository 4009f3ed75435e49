/** Rendering: charts and values in, parsed objects out, by helm in a sandbox. */
export { capabilitiesOf, type Capabilities } from './capabilities';
export { findRenderPrograms, HELM_VERSION, ProgramError, type RenderPrograms } from './programs';
export { Renderer, type RendererOptions, type Rendering, type RenderRequest } from './renderer';
