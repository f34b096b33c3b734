import { Link } from '@tanstack/react-router'
import { CodeBox } from '../../../ui/copy.tsx'
import { NumberedSection } from '../../../ui/numbered-section.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { uploadMapRequest, uploadMapsLine } from '../../../ui/text/upload-maps-text.ts'

/** How a build hands in its maps, with the address of this server. */
export function FromPipeline({ project, version }: { project: string; version: string }) {
  const place = { url: window.location.origin, project, version: version === '' ? '1.4.0' : version }
  return (
    <Panel title="From your pipeline" note="after the build, before the release" flush>
      <div className="px-14 *:first:border-t-0">
        <NumberedSection number={1} title="Make a token">
          <p className="text-pretty text-text-2">
            In{' '}
            <Link to="/account/tokens" className="text-accent underline underline-offset-2">
              your account
            </Link>
            , limited to this project, with the role editor. Put it into the secrets of the pipeline as{' '}
            <code>TELLTALE_TOKEN</code>.
          </p>
        </NumberedSection>
        <NumberedSection number={2} title="Hand in every map of the build">
          <div className="grid gap-8">
            <CodeBox label="Command for the pipeline" code={uploadMapsLine(place)} />
            <p className="text-pretty text-text-2">
              <code>./dist</code> is the folder of the build. The version is the one that your application
              gives to <code>init</code>. Do not ship the maps themselves.
            </p>
          </div>
        </NumberedSection>
        <NumberedSection number={3} title="Or one file by hand" note="without the command">
          <CodeBox label="Request for one file" code={uploadMapRequest(place, '/assets/app.js')} />
        </NumberedSection>
      </div>
    </Panel>
  )
}
