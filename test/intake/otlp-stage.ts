// A project whose `development` environment takes traces and logs, on the real engine.

import { type OtlpAnswer, sendOtlp } from './otlp.ts'
import { environments, type IntakeStage, openIntakeStage, untilWritten } from './stage.ts'

export interface OtlpStage extends IntakeStage {
  serverKey: string
  bearer(): Record<string, string>
  sendSpans(body: string | Uint8Array | object, headers?: Record<string, string>): Promise<OtlpAnswer>
  sendLogs(body: object): Promise<OtlpAnswer>
  spansOf(traceId: string): Promise<Record<string, unknown>[]>
  /** The errors and exposures of a trace. */
  eventsOf(traceId: string): Promise<Record<string, unknown>[]>
  /** How often it was counted until now. */
  outcome(kind: string, reason: string): Promise<number>
}

/** As the store keeps it. */
export const uuidOf = (id: string) => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

export async function openOtlpStage(): Promise<OtlpStage> {
  const stage = await openIntakeStage()
  const { telltale, owner, read } = stage
  const { body } = await telltale.request('POST', `${environments}/development/keys`, {
    as: owner,
    body: { kind: 'server', label: 'collector' },
  })
  const serverKey: string = body.value ?? body.key
  const bearer = () => ({ authorization: `Bearer ${serverKey}` })
  return {
    ...stage,
    serverKey,
    bearer,
    sendSpans: (sent, headers = bearer()) =>
      sendOtlp(telltale.url, { path: '/v1/traces', body: sent, headers }),
    sendLogs: (sent) => sendOtlp(telltale.url, { path: '/v1/logs', body: sent, headers: bearer() }),
    async spansOf(traceId) {
      await untilWritten(telltale)
      return read('SELECT * FROM spans WHERE trace_id = toUUID({trace:String}) ORDER BY ts, span_id', {
        trace: uuidOf(traceId),
      })
    },
    async eventsOf(traceId) {
      await untilWritten(telltale)
      return read('SELECT * FROM events WHERE trace_id = {trace:String} ORDER BY kind, name', {
        trace: traceId,
      })
    },
    async outcome(kind, reason) {
      await telltale.running.services.intake.outcomes.flush()
      await untilWritten(telltale)
      const [row] = await read<{ n: string }>(
        "SELECT toString(sum(count)) AS n FROM intake_outcomes WHERE source = 'otlp' AND kind = {kind:String} AND reason = {reason:String}",
        { kind, reason },
      )
      return Number(row?.n ?? 0)
    },
  }
}
