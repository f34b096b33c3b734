/** The products whose documents can be imported. */
export const importSources = ['launchdarkly', 'unleash', 'growthbook', 'posthog'] as const
export type ImportSource = (typeof importSources)[number]
