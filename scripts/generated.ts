import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_CODES } from '../core/errors';
import { kubeconfigRulesMarkdown } from '../core/kubeconfig/rules';
import { RESOURCE_DESCRIPTIONS } from '../nodes/Kubernetes/actions';
import { PROPERTIES } from '../nodes/KubernetesTrigger/properties';
import { permissionSections } from '../nodes/shared/permissions';
import { nodeMarkdown, parametersTable } from './nodeMarkdown';
import { outputSchemas } from './schemas/outputSchemas';

/** A file that a source of ours yields. */
export interface GeneratedFile {
  /** Path from the root of the project. */
  readonly path: string;
  readonly content: string;
}

/**
 * All generated files with their content as it should be.
 *
 * @param root folder of the project
 */
export async function generatedFiles(root: string): Promise<GeneratedFile[]> {
  const page = (path: string, sections: Readonly<Record<string, string>>): GeneratedFile => ({
    path,
    content: fillSections(readFileSync(join(root, path), 'utf8'), sections, path),
  });
  const schemas = await outputSchemas();
  return [
    page('docs/errors.md', { codes: errorsMarkdown() }),
    page('docs/kubeconfig.md', { rules: kubeconfigRulesMarkdown() }),
    page('docs/permissions.md', permissionSections(RESOURCE_DESCRIPTIONS)),
    page('docs/kubernetes-node.md', { operations: nodeMarkdown(RESOURCE_DESCRIPTIONS, schemas) }),
    page('docs/trigger.md', { parameters: parametersTable(PROPERTIES) }),
    ...schemas.map(({ resource, operation, schema }) => ({
      path: `nodes/Kubernetes/__schema__/v1.0.0/${resource}/${operation}.json`,
      content: JSON.stringify(schema),
    })),
  ];
}

/**
 * Replaces the text between `<!-- generated:NAME -->` and `<!-- /generated:NAME -->`.
 *
 * @throws Error when a marker is missing, so that no section is silently left as it was
 */
export function fillSections(text: string, sections: Readonly<Record<string, string>>, path: string): string {
  return Object.entries(sections).reduce((result, [name, content]) => {
    const [start, end] = [`<!-- generated:${name} -->`, `<!-- /generated:${name} -->`];
    const from = result.indexOf(start);
    const to = result.indexOf(end);
    if (from < 0 || to < from) throw new Error(`${path} lacks the markers ${start} … ${end}`);
    return `${result.slice(0, from + start.length)}\n\n${content.trim()}\n\n${result.slice(to)}`;
  }, text);
}

function errorsMarkdown(): string {
  return Object.entries(ERROR_CODES)
    .map(([code, { title, why, remedy }]) => `### ${code}\n**${title}.** ${why}\n\n${remedy}`)
    .join('\n\n');
}
