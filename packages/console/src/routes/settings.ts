import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { parseUsageSearch } from '../features/usage/usage-search.ts'
import { parseAuditSearch } from '../screens/audit/audit-search.ts'
import { parseChannelSearch } from '../screens/settings/channels/channel-search.ts'
import { parseSourceMapsSearch } from '../screens/settings/source-maps/source-maps-search.ts'
import { searchParser, trueOf } from '../ui/search-parameters.ts'
import { textOf } from '../ui/text/text-of.ts'
import { project } from './project.tsx'

export const settings = createRoute({
  getParentRoute: () => project,
  path: '/settings',
  staticData: { nav: { group: 'Operate', label: 'Settings', icon: 'settings', key: ',' } },
})

export const settingsStart = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/p/$project/settings/general', params, replace: true })
  },
})

export const generalSettings = createRoute({
  getParentRoute: () => settings,
  path: '/general',
  staticData: { section: { of: 'settings', group: 'Project', label: 'General' } },
  component: lazyRouteComponent(() => import('../screens/settings/general-screen.tsx'), 'GeneralScreen'),
})

export const environments = createRoute({
  getParentRoute: () => settings,
  path: '/environments',
  staticData: { section: { of: 'settings', group: 'Project', label: 'Environments and keys' } },
  component: lazyRouteComponent(
    () => import('../screens/settings/environments-screen.tsx'),
    'EnvironmentsScreen',
  ),
})

export const environment = createRoute({
  getParentRoute: () => settings,
  path: '/environments/$environment',
  validateSearch: searchParser({ revoked: trueOf, page: textOf }),
  component: lazyRouteComponent(
    () => import('../screens/settings/environment-screen.tsx'),
    'EnvironmentScreen',
  ),
})

export const metricSettings = createRoute({
  getParentRoute: () => settings,
  path: '/metrics',
  staticData: { section: { of: 'settings', group: 'Project', label: 'Metrics and limits' } },
  component: lazyRouteComponent(
    () => import('../screens/settings/metrics/metrics-screen.tsx'),
    'MetricsScreen',
  ),
})

export const rolloutTemplateSettings = createRoute({
  getParentRoute: () => settings,
  path: '/rollout-templates',
  staticData: { section: { of: 'settings', group: 'Project', label: 'Rollout templates' } },
  component: lazyRouteComponent(
    () => import('../screens/settings/rollout-templates/templates-screen.tsx'),
    'RolloutTemplatesScreen',
  ),
})

export const channels = createRoute({
  getParentRoute: () => settings,
  path: '/channels',
  staticData: { section: { of: 'settings', group: 'Project', label: 'Channels and webhooks' } },
  component: lazyRouteComponent(
    () => import('../screens/settings/channels/channels-screen.tsx'),
    'ChannelsScreen',
  ),
})

export const channel = createRoute({
  getParentRoute: () => settings,
  path: '/channels/$channel',
  validateSearch: parseChannelSearch,
  component: lazyRouteComponent(
    () => import('../screens/settings/channels/channel-screen.tsx'),
    'ChannelScreen',
  ),
})

export const digestSettings = createRoute({
  getParentRoute: () => settings,
  path: '/digest',
  staticData: { section: { of: 'settings', group: 'Project', label: 'Weekly digest' } },
  component: lazyRouteComponent(() => import('../screens/settings/digest/digest-screen.tsx'), 'DigestScreen'),
})

export const codeSettings = createRoute({
  getParentRoute: () => settings,
  path: '/code',
  staticData: { section: { of: 'settings', group: 'Project', label: 'Flags as code' } },
  component: lazyRouteComponent(() => import('../screens/settings/code/code-screen.tsx'), 'CodeScreen'),
})

export const webhooks = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/p/$project/settings/channels', params, replace: true })
  },
})

export const members = createRoute({
  getParentRoute: () => settings,
  path: '/members',
  validateSearch: searchParser({ q: textOf, new: trueOf }),
  staticData: { section: { of: 'settings', group: 'Access', label: 'Members' } },
  component: lazyRouteComponent(() => import('../screens/settings/members-screen.tsx'), 'MembersScreen'),
})

export const roles = createRoute({
  getParentRoute: () => settings,
  path: '/roles',
  validateSearch: searchParser({ new: trueOf }),
  staticData: { section: { of: 'settings', group: 'Access', label: 'Roles' } },
  component: lazyRouteComponent(() => import('../screens/settings/roles/roles-screen.tsx'), 'RolesScreen'),
})

export const projectTokens = createRoute({
  getParentRoute: () => settings,
  path: '/tokens',
  staticData: { section: { of: 'settings', group: 'Access', label: 'API tokens' } },
  component: lazyRouteComponent(
    () => import('../screens/tokens/project-tokens-screen.tsx'),
    'ProjectTokensScreen',
  ),
})

export const shareLinkSettings = createRoute({
  getParentRoute: () => settings,
  path: '/share-links',
  staticData: { section: { of: 'settings', group: 'Access', label: 'Share links' } },
  component: lazyRouteComponent(
    () => import('../screens/settings/share-links/share-links-screen.tsx'),
    'ShareLinksScreen',
  ),
})

export const dataSettings = createRoute({
  getParentRoute: () => settings,
  path: '/data',
  staticData: { section: { of: 'settings', group: 'Data', label: 'Retention and privacy' } },
  component: lazyRouteComponent(() => import('../screens/settings/data/data-screen.tsx'), 'DataScreen'),
})

export const usageSettings = createRoute({
  getParentRoute: () => settings,
  path: '/usage',
  staticData: { section: { of: 'settings', group: 'Data', label: 'Usage' } },
  validateSearch: parseUsageSearch,
  component: lazyRouteComponent(() => import('../screens/settings/usage/usage-screen.tsx'), 'UsageScreen'),
})

export const sourceMapSettings = createRoute({
  getParentRoute: () => settings,
  path: '/source-maps',
  staticData: { section: { of: 'settings', group: 'Data', label: 'Source maps' } },
  validateSearch: parseSourceMapsSearch,
  component: lazyRouteComponent(
    () => import('../screens/settings/source-maps/source-maps-screen.tsx'),
    'SourceMapsScreen',
  ),
})

export const projectAudit = createRoute({
  getParentRoute: () => settings,
  path: '/audit',
  staticData: { section: { of: 'settings', group: 'Data', label: 'Audit log' } },
  validateSearch: parseAuditSearch,
  component: lazyRouteComponent(
    () => import('../screens/audit/project-audit-screen.tsx'),
    'ProjectAuditScreen',
  ),
})
