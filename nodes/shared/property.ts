import type { INodeProperties } from 'n8n-workflow';

/** An entry of a dropdown. */
export interface Choice {
  readonly name: string;
  readonly value: string;
  readonly description?: string;
}

/** A named group of a fixed collection: the values of each of its entries. */
export interface PropertyGroup {
  readonly name: string;
  readonly displayName: string;
  readonly values: readonly Property[];
}

/** A way to fill a resource locator. */
export interface LocatorMode {
  readonly displayName: string;
  readonly name: 'list' | 'name';
  readonly type: 'list' | 'string';
  readonly placeholder?: string;
  readonly typeOptions?: { readonly searchListMethod: string; readonly searchable: true };
}

/**
 * A parameter of an operation, as n8n describes it, read-only and narrow enough to derive the type of its value from it
 * ({@link ValueOf}). It is data: the same object is shown by the editor and read by the loop.
 */
export interface Property {
  readonly displayName: string;
  readonly name: string;
  readonly type:
    | 'string'
    | 'number'
    | 'boolean'
    | 'dateTime'
    | 'options'
    | 'multiOptions'
    | 'resourceLocator'
    | 'collection'
    | 'fixedCollection'
    | 'notice';
  readonly default: unknown;
  readonly description?: string;
  readonly hint?: string;
  readonly placeholder?: string;
  /** An empty text is refused where the parameter is shown. */
  readonly required?: true;
  readonly noDataExpression?: true;
  /** Shown only when the parameters named here, of the same operation, have one of the values. */
  readonly displayOptions?: { readonly show: Readonly<Record<string, readonly (string | boolean | number)[]>> };
  readonly options?: readonly (Choice | Property | PropertyGroup)[];
  readonly modes?: readonly LocatorMode[];
  readonly typeOptions?: {
    readonly minValue?: number;
    readonly maxValue?: number;
    /** 0 for whole numbers. */
    readonly numberPrecision?: number;
    readonly multipleValues?: true;
    readonly multipleValueButtonText?: string;
    readonly rows?: number;
    readonly editor?: 'jsEditor';
    readonly loadOptionsDependsOn?: readonly string[];
  };
}

/** The type of the value of a parameter, as the loop hands it to an operation. */
export type ValueOf<P> = P extends { type: 'boolean' }
  ? boolean
  : P extends { type: 'number' }
    ? number
    : P extends { type: 'options'; options: readonly { value: infer V }[] }
      ? V
      : P extends { type: 'multiOptions'; options: readonly { value: infer V }[] }
        ? readonly V[]
        : P extends { type: 'collection'; options: readonly (infer O)[] }
          ? { readonly [K in O as NameOf<K>]?: ValueOf<K> }
          : P extends { type: 'fixedCollection'; options: readonly (infer G)[] }
            ? { readonly [K in G as NameOf<K>]: readonly ValuesOfGroup<K>[] }
            : P extends { typeOptions: { multipleValues: true } }
              ? readonly string[]
              : string;

type NameOf<P> = P extends { name: infer N extends string } ? N : never;

type ValuesOfGroup<G> = G extends { values: infer V extends readonly unknown[] } ? ValuesOf<V> : never;

/** The values of several parameters by name; notices have none. */
export type ValuesOf<Properties extends readonly unknown[]> = {
  readonly [P in Properties[number] as P extends { type: 'notice' } ? never : NameOf<P>]: ValueOf<P>;
};

/**
 * The properties as n8n takes them, shown for one resource and operation.
 * n8n's types are mutable, ours are not; nothing of n8n changes a description.
 */
/* @__NO_SIDE_EFFECTS__ */
export function toNodeProperties(
  properties: readonly Property[],
  resource: string,
  operation: string,
): INodeProperties[] {
  return properties.map(
    (property) =>
      ({
        ...property,
        displayOptions: { show: { resource: [resource], operation: [operation], ...property.displayOptions?.show } },
      }) as unknown as INodeProperties,
  );
}
