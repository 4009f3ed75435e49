import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface LockedPackage {
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

/** How many packages a lock file installs on this platform; npm's own rules for `os` and `cpu`. */
export function lockedPackages(lockFile: string): number {
  const lock = JSON.parse(readFileSync(lockFile, 'utf8')) as { packages: Readonly<Record<string, LockedPackage>> };
  const entries = Object.entries(lock.packages).filter(([path]) => path !== '');
  return entries.filter(([, entry]) => allows(entry.os, process.platform) && allows(entry.cpu, process.arch)).length;
}

function allows(list: readonly string[] | undefined, value: string): boolean {
  if (list === undefined || list.length === 0) return true;
  if (list.includes(`!${value}`)) return false;
  return list.includes(value) || list.every((entry) => entry.startsWith('!'));
}

/** How many packages stand unpacked in a `node_modules` folder, nested ones included; 0 when there is none. */
export function installedPackages(modules: string): number {
  let count = 0;
  for (const name of subfolders(modules)) {
    if (name.startsWith('.')) continue;
    const packages = name.startsWith('@')
      ? subfolders(join(modules, name)).map((scoped) => join(name, scoped))
      : [name];
    for (const folder of packages) {
      // npm makes all folders first, and fills them then.
      if (existsSync(join(modules, folder, 'package.json'))) count += 1;
      count += installedPackages(join(modules, folder, 'node_modules'));
    }
  }
  return count;
}

function subfolders(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  } catch {
    return [];
  }
}
