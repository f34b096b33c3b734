import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { approveDeviceLogin, refuseDeviceLogin } from './decide-device-login.ts'
import { getWaiting } from './queries.ts'
import { redeemDeviceLogin } from './redeem-device-login.ts'
import { startDeviceLogin } from './start-device-login.ts'

export const deviceLoginRoutes: Handlers<Calls['device-logins'], Services> = {
  startDeviceLogin: ({ db }, { origin, body }) => startDeviceLogin(db, origin, body),
  redeemDeviceLogin: ({ db }, { origin, body }) => redeemDeviceLogin(db, origin, body),
  getDeviceLogin: async ({ db }, { origin, params }) => {
    const { userCode, name, createdAt, expiresAt } = await getWaiting(db, params.deviceLogin, origin.now)
    return { userCode, name, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() }
  },
  approveDeviceLogin: ({ db }, { caller, origin, params, body }) =>
    approveDeviceLogin(db, origin, { user: caller.user, code: params.deviceLogin, ...body }),
  refuseDeviceLogin: ({ db }, { caller, origin, params }) =>
    refuseDeviceLogin(db, origin, { user: caller.user, code: params.deviceLogin }),
}
