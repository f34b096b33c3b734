import { basename, dirname, join } from 'node:path'
import { addressesOf } from '@telltale/core/contract/call-addresses'
import { calls } from '@telltale/core/contract/calls'
import { build, type Plugin } from 'esbuild'
import { root } from './place.ts'

export type Bundle = {
  entry: string
  outfile: string
  banner?: string
  /** Dynamic imports become separate files next to the entry. */
  isSplit?: boolean
  plugins?: readonly Plugin[]
}

/** Workspace packages and the parser of the command are bundled, everything else from npm stays an import. */
export async function bundleForNode({
  entry,
  outfile,
  banner,
  isSplit = false,
  plugins = [],
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
    plugins: [...plugins, keepNpmPackagesOutside],
    logLevel: 'warning',
    ...(banner ? { banner: { js: banner } } : {}),
  })
}

const keepNpmPackagesOutside: Plugin = {
  name: 'keep-npm-packages-outside',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ kind, path }) => {
      if (kind === 'entry-point' || path.startsWith('@telltale/') || path === '@babel/parser') {
        return undefined
      }
      return { path, external: true }
    })
  },
}

/** Only what is needed to make each call: the schemas would bring TypeBox into a command without dependencies. */
export const callAddresses: Plugin = {
  name: 'call-addresses',
  setup(build) {
    build.onLoad({ filter: /core\/src\/contract\/calls\.ts$/ }, () => ({
      contents: `export const calls = ${JSON.stringify(addressesOf(calls))}`,
    }))
  },
}
