import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

export default {
  outputFileTracingRoot: root,
  turbopack: { root },
  poweredByHeader: false,
  // The compilers of test/contracts/packages.test.ts check our types.
  typescript: { ignoreBuildErrors: true },
}
