import { basename, dirname, join } from 'node:path'
import { addressesOf } from '@telltale/core/contract/call-addresses'
import { calls } from '@telltale/core/contract/calls'
import { describeCodeDocument } from '@telltale/core/contract/code-document'
import { build, type Plugin } from 'esbuild'
import { root } from './place.ts'

export type Bundle = {
  entry: string
  outfile: string
  banner?: string
  /** Dynamic imports become separate files next to the entry. */
  isSplit?: boolean
  plugins?: readonly Plugin[]
  /** Packages from npm whose code is in the file. */
  takenIn?: readonly string[]
}

/** Workspace packages and what is named are bundled, everything else from npm stays an import. */
export async function bundleForNode({
  entry,
  outfile,
  banner,
  isSplit = false,
  plugins = [],
  takenIn = [],
}: Bundle): Promise<void> {
  await build({
    entryPoints: [{ in: join(root, entry), out: basename(outfile, '.js') }],
    outdir: dirname(outfile),
    splitting: isSplit,
    // Next to the entry, so that paths relative to the current file are the same in both.
    chunkNames: '[name]-[hash]',
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: true,
    plugins: [...plugins, keepNpmPackagesOutside(takenIn)],
    logLevel: 'warning',
    ...(banner ? { banner: { js: banner } } : {}),
  })
}

const keepNpmPackagesOutside = (takenIn: readonly string[]): Plugin => ({
  name: 'keep-npm-packages-outside',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ kind, path }) => {
      const isTakenIn = ['@telltale', ...takenIn].some((name) => path === name || path.startsWith(`${name}/`))
      if (kind !== 'entry-point' && !isTakenIn) return { path, external: true }
      // Its usual entry calls `require`, which a module does not have.
      return path === 'yaml' ? { path: join(root, 'node_modules/yaml/browser/index.js') } : undefined
    })
  },
})

/**
 * Only what is needed to make each call, and the finished schema of flags as code: the schemas themselves would bring
 * TypeBox into a command without dependencies.
 */
export const callAddresses: Plugin = {
  name: 'call-addresses',
  setup(build) {
    build.onLoad({ filter: /core\/src\/contract\/calls\.ts$/ }, () => ({
      contents: `export const calls = ${JSON.stringify(addressesOf(calls))}`,
    }))
    build.onLoad({ filter: /core\/src\/contract\/code-document\.ts$/ }, () => ({
      contents: `export const describeCodeDocument = () => (${JSON.stringify(describeCodeDocument())})`,
    }))
  },
}
