import { useQuery } from '@tanstack/react-query'
import { digestSettingsQuery } from '../../../api/digests.ts'
import { environmentsQuery } from '../../../api/environments.ts'
import { MayNotice } from '../../../shell/may-notice.tsx'
import { useScope } from '../../../shell/scope-context.ts'
import { SectionScreen } from '../../../shell/section-screen.tsx'
import { Async } from '../../../ui/states.tsx'
import { DigestForm } from './digest-form.tsx'

/** When the weekly digest is sent, to which channels, and what it would say now. */
export function DigestScreen() {
  const { project } = useScope()
  const settings = useQuery(digestSettingsQuery(project))
  const environments = useQuery(environmentsQuery(project))

  return (
    <SectionScreen of="settings" title="Weekly digest">
      <MayNotice permission="project.manage" />
      <Async of={settings}>
        {(found) => (
          <Async of={environments}>
            {({ items }) => <DigestForm key={found.version} settings={found} environments={items} />}
          </Async>
        )}
      </Async>
    </SectionScreen>
  )
}
