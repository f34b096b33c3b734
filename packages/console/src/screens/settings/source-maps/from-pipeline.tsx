import { Link } from '@tanstack/react-router'
import { CodeBox } from '../../../ui/copy.tsx'
import { NumberedSection } from '../../../ui/numbered-section.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { uploadMapRequest, uploadMapsLine } from '../../../ui/text/upload-maps-text.ts'

/** How to upload maps from a build, with the URL of this server. */
export function FromPipeline({ project, version }: { project: string; version: string }) {
  const place = { url: window.location.origin, project, version: version === '' ? '1.4.0' : version }
  return (
    <Panel title="From your CI" note="after the build, before the release" flush>
      <div className="px-14 *:first:border-t-0">
        <NumberedSection number={1} title="Create a token">
          <p className="text-pretty text-text-2">
            In{' '}
            <Link to="/account/tokens" className="text-accent underline underline-offset-2">
              your account
            </Link>
            , limited to this project, with the role editor. Add it to your CI secrets as{' '}
            <code>TELLTALE_TOKEN</code>.
          </p>
        </NumberedSection>
        <NumberedSection number={2} title="Upload source maps">
          <div className="grid gap-8">
            <CodeBox label="Upload command" code={uploadMapsLine(place)} />
            <p className="text-pretty text-text-2">
              <code>./dist</code> is the build folder. The version is the one your application passes to{' '}
              <code>init</code>. Do not deploy the maps.
            </p>
          </div>
        </NumberedSection>
        <NumberedSection number={3} title="Or upload a single file" note="without the CLI">
          <CodeBox label="Request for one file" code={uploadMapRequest(place, '/assets/app.js')} />
        </NumberedSection>
      </div>
    </Panel>
  )
}
