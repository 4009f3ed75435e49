import type { OperationDescription, ResourceDescription } from '../nodes/shared/operation';
import { kindVerbWords } from '../nodes/shared/permissions';
import { isRead } from '../nodes/shared/readOnly';
import type { Choice, Property, PropertyGroup } from '../nodes/shared/property';
import type { OperationSchema } from './schemas/outputSchemas';

/**
 * The operations of a node as a page: what each does, its parameters, the rights it needs and the fields it gives.
 *
 * @param schemas the output of each operation
 */
export function nodeMarkdown(resources: readonly ResourceDescription[], schemas: readonly OperationSchema[]): string {
  return resources
    .flatMap(({ name, value, operations }) => [
      `## ${name}`,
      ...operations.flatMap((operation) => [
        `### ${name}: ${operation.name}`,
        `${operation.description}.`,
        parametersTable(operation.properties),
        `Rights: ${rights(operation)}.`,
        `Output: ${outputFields(schemas, value, operation.value)}.`,
      ]),
    ])
    .join('\n\n');
}

/** The operations that change nothing, by resource. */
export function readsMarkdown(resources: readonly ResourceDescription[]): string {
  return resources
    .map(({ name, operations }) => {
      const reads = operations.filter(isRead).map((operation) => operation.name);
      return `- ${name}: ${reads.length === 0 ? 'none' : reads.join(', ')}`;
    })
    .join('\n');
}

/** The parameters of an operation or of a whole node. */
export function parametersTable(properties: readonly Property[]): string {
  if (properties.length === 0) return 'No parameters.';
  const rows = properties.flatMap((property) => row(property, ''));
  return ['| parameter | default | what it does |', '|---|---|---|', ...rows].join('\n');
}

function row(property: Property, prefix: string): string[] {
  const name = `${prefix}${property.displayName}`;
  const inner = (property.options ?? []).flatMap((option) => innerRow(option, `${name} → `));
  if (property.type === 'collection' || property.type === 'notice') return inner;
  const description = [property.description ?? '', choices(property)].filter((text) => text !== '').join('. ');
  return [`| ${escape(name)} | ${escape(defaultText(property))} | ${escape(description)} |`, ...inner];
}

function innerRow(option: Choice | Property | PropertyGroup, prefix: string): string[] {
  if ('values' in option) return option.values.flatMap((property) => row(property, prefix));
  return 'displayName' in option ? row(option, prefix) : [];
}

function choices({ type, options }: Property): string {
  if (type !== 'options' && type !== 'multiOptions') return '';
  return (options ?? [])
    .flatMap((option) =>
      'value' in option ? [`*${option.name}*${option.description === undefined ? '' : `: ${option.description}`}`] : [],
    )
    .join('; ');
}

function defaultText({ type, default: value, options }: Property): string {
  if (type === 'options') {
    const chosen = (options ?? []).find((option) => 'value' in option && option.value === value);
    return chosen?.name ?? '';
  }
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'object' && value !== null && 'value' in value) return String(value.value);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function rights(operation: OperationDescription): string {
  const { rights: needed, rightsGroup } = operation;
  if (rightsGroup === 'kind') {
    const verbs = kindVerbWords(operation).map((words) => words.replace(/^\w+/, '`$&`'));
    return `${verbs.join(', ')} on the kind ([permissions](permissions.md#any-resource))`;
  }
  if (needed.length === 0) return 'none of its own';
  const texts = needed.map(({ verb, group, resource, subresource, optional }) => {
    const path = `${resource}${group === '' ? '' : `.${group}`}${subresource === undefined ? '' : `/${subresource}`}`;
    return `\`${verb} ${path}\`${optional === true ? ' (left out where it is missing)' : ''}`;
  });
  const own = kindVerbWords(operation).map((words) => `, ${words.replace(/^\w+/, '`$&`')} on the kind`);
  return `${texts.join(', ')} (group \`${rightsGroup}\` of [permissions](permissions.md))${own.join('')}`;
}

function outputFields(schemas: readonly OperationSchema[], resource: string, operation: string): string {
  const found = schemas.find((schema) => schema.resource === resource && schema.operation === operation);
  return Object.keys(found?.schema.properties ?? {})
    .map((field) => `\`${field}\``)
    .join(', ');
}

function escape(text: string): string {
  return text.replace(/\|/g, '\\|').replace(/\s*\n\s*/g, ' ');
}
