// Requests of OpenTelemetry, as the exporters of the shop's services would send them.

import { logsOf, type ServedRequest, type Service, spansOf } from './served-request.ts'

interface OtlpBodies {
  traces: string
  /** Undefined if there is nothing to log. */
  logs: string | undefined
}

const versions: Readonly<Record<Service, string>> = { 'pedal-post-api': '5.2.0', payments: '1.14.1' }
const scope = { name: 'pedal-post' }

export function toOtlp(requests: readonly ServedRequest[]): OtlpBodies {
  const spans = requests.flatMap(spansOf)
  const logs = requests.flatMap(logsOf)
  return {
    traces: JSON.stringify({
      resourceSpans: servicesOf(spans).map((service) => ({
        resource: resourceOf(service),
        scopeSpans: [
          { scope, spans: spans.filter((each) => each.service === service).map(({ span }) => span) },
        ],
      })),
    }),
    logs:
      logs.length === 0
        ? undefined
        : JSON.stringify({
            resourceLogs: servicesOf(logs).map((service) => ({
              resource: resourceOf(service),
              scopeLogs: [
                {
                  scope,
                  logRecords: logs.filter((each) => each.service === service).map(({ record }) => record),
                },
              ],
            })),
          }),
  }
}

const servicesOf = (all: readonly { service: Service }[]) => [...new Set(all.map(({ service }) => service))]

const resourceOf = (service: Service) => ({
  attributes: Object.entries({
    'service.name': service,
    'service.version': versions[service],
    'telemetry.sdk.language': 'nodejs',
  }).map(([key, stringValue]) => ({ key, value: { stringValue } })),
})
