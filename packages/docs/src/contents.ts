/** The documents in reading order. A document that is not listed fails the build. */
export const contents: readonly Group[] = [
  {
    title: 'Guides',
    pages: [
      'README.md',
      'guides/start.md',
      'guides/first-rollout.md',
      'guides/metrics.md',
      'guides/experiments.md',
      'guides/ledger.md',
      'guides/monitoring.md',
      'guides/source-maps.md',
      'guides/funnels.md',
      'guides/dashboards.md',
      'guides/alerts.md',
      'guides/roles.md',
      'guides/approvals.md',
      'guides/audit.md',
      'guides/lifecycle.md',
      'guides/flags-as-code.md',
      'guides/code-references.md',
      'guides/typed-flags.md',
      'guides/evaluation.md',
      'guides/toolbar.md',
      'guides/replay-tests.md',
      'guides/teams.md',
      'guides/second-factor.md',
      'guides/single-sign-on.md',
      'guides/scim.md',
      'guides/server-sdk.md',
      'guides/edge.md',
      'guides/signed-users.md',
      'guides/opentelemetry.md',
      'guides/openfeature.md',
      'guides/language-models.md',
      'guides/import-flags.md',
      'guides/move-from-flagsmith.md',
      'guides/move-from-datadog.md',
      'guides/move-from-sentry.md',
      'guides/move-from-faro.md',
    ],
  },
  {
    title: 'Operation',
    pages: [
      'guides/install.md',
      'guides/setup-file.md',
      'guides/retention.md',
      'guides/usage.md',
      'guides/backup.md',
      'guides/telemetry-store.md',
      'guides/scale.md',
      'reference/configuration.md',
    ],
  },
  {
    title: 'Reference',
    pages: [
      'reference/entities.md',
      'reference/permissions.md',
      'reference/routes.md',
      'reference/cli.md',
      'reference/errors.md',
      'reference/limits.md',
      'reference/replay-format.md',
      'reference/audit-chain.md',
    ],
  },
  {
    title: 'How it works',
    pages: [
      'architecture.md',
      'statistics.md',
      'decisions/README.md',
      'decisions/0001-two-protocols.md',
      'decisions/0002-disk-before-202.md',
      'decisions/0003-one-contract-table.md',
      'decisions/0004-one-pure-evaluator.md',
      'decisions/0005-values-to-browsers.md',
      'decisions/0006-stages-as-epochs.md',
      'decisions/0007-valid-at-every-look.md',
      'decisions/0008-users-not-events.md',
      'decisions/0009-latest-revision-of-a-vital.md',
      'decisions/0010-flags-before-telemetry.md',
    ],
  },
]

export interface Group {
  title: string
  /** Paths below `docs/`. */
  pages: readonly string[]
}

/** The address of a document, relative to `/docs/`. */
export function addressOf(path: string): string {
  return path.replace(/(?:README)?\.md$/, '').replace(/\/$/, '')
}
