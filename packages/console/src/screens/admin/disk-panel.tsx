import { useQuery } from '@tanstack/react-query'
import { type DiskOutlook, diskQuery } from '../../api/usage.ts'
import { TimeChart } from '../../charts/time-chart.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { bytesText } from '../../ui/text/measure-text.ts'
import { daysLeftText, growthText } from './disk-words.ts'
import { Fact, FactList } from './facts.tsx'

type Volume = DiskOutlook['volumes'][number]

/** When each volume is full, from the growth of the last days. */
export function DiskPanel() {
  const disk = useQuery(diskQuery)
  return (
    <Panel title="Disk" note="Growth of the engines, and when the volume is full">
      <Async of={disk}>
        {(found) => (
          <div className="grid gap-16">
            {found.volumes.length === 0 && (
              <p className="text-text-2">Both engines are external and do not report their disks.</p>
            )}
            {found.volumes.map((volume) => (
              <VolumeFacts key={volume.holds.join(' ')} volume={volume} outlook={found} />
            ))}
            {found.samples.length > 1 && <Sizes samples={found.samples} />}
          </div>
        )}
      </Async>
    </Panel>
  )
}

const engineWords = { telemetry: 'telemetry store', postgres: 'PostgreSQL' }

function VolumeFacts({ volume, outlook }: { volume: Volume; outlook: DiskOutlook }) {
  const { holds, freeBytes, totalBytes, nearlyFull, days, forecast } = volume
  const used = { telemetry: outlook.telemetryBytes, postgres: outlook.postgresBytes }
  const free = `${bytesText(freeBytes)} of ${bytesText(totalBytes)}`
  return (
    <>
      {nearlyFull && (
        <Notice
          tone="warn"
          title={`The volume is nearly full: ${free} are free`}
          detail="When it is full, events are refused. Reduce retention, set budgets, or add disk space."
        />
      )}
      <FactList>
        {holds.map((engine) => (
          <Fact key={engine} name={engine === 'postgres' ? 'PostgreSQL' : 'Telemetry store'}>
            {used[engine] === null ? 'does not respond' : bytesText(used[engine])}
          </Fact>
        ))}
        <Fact name="Free">{free}</Fact>
        <Fact name="Growth">
          {forecast === null
            ? `Known after 3 days of measurements. So far: ${days}.`
            : growthText(forecast.bytesPerDay)}
        </Fact>
        {forecast !== null && (
          <Fact name="Full">
            <span>{daysLeftText(forecast.daysLeft)}</span>{' '}
            <span className="text-12 text-text-3">
              at the growth of {holds.map((engine) => engineWords[engine]).join(' and ')}
            </span>
          </Fact>
        )}
      </FactList>
    </>
  )
}

function Sizes({ samples }: { samples: DiskOutlook['samples'] }) {
  return (
    <TimeChart
      label="Size of the telemetry store and of PostgreSQL by day"
      times={samples.map(({ day }) => Date.parse(day))}
      series={[
        { label: 'Telemetry store', color: 'v1', values: samples.map((sample) => sample.telemetryBytes) },
        { label: 'PostgreSQL', color: 'v2', values: samples.map((sample) => sample.postgresBytes) },
      ]}
      format={bytesText}
      timeZone="UTC"
    />
  )
}
