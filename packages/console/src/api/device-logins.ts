import { queryOptions } from '@tanstack/react-query'
import type { BodyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/device-logins'
import { request } from './client.ts'

const { getDeviceLogin, approveDeviceLogin, refuseDeviceLogin } = calls['device-logins']

/** A device that waits for approval. */
export const deviceLoginQuery = (deviceLogin: string) =>
  queryOptions({
    queryKey: ['account', 'device-logins', deviceLogin],
    queryFn: ({ signal }) => request(getDeviceLogin, { params: { deviceLogin }, signal }),
    retry: false,
  })

export function approveDevice({
  code: deviceLogin,
  body,
}: {
  code: string
  body: BodyOf<typeof contract.approveDeviceLogin>
}) {
  return request(approveDeviceLogin, { params: { deviceLogin }, body })
}

export function refuseDevice(deviceLogin: string) {
  return request(refuseDeviceLogin, { params: { deviceLogin } })
}
