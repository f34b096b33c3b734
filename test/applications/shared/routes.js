// The pages of all three applications. Ids of many kinds stand in the addresses, as applications have them.

export const products = [
  '01J9ZK3V8QY6N2T4R7W5X1C0BD',
  'clh3am8bs0000qwer1tyuiop2',
  'V1StGXR8_Z5jdHi6B-myT',
  '7d0f3a52-6f8e-4c1b-9a57-2f4f0e6b8c11',
  '48213',
]
export const orders = ['01J9ZK3V8QY6N2T4R7W5X1C0BE', '65f1c0ffee65f1c0ffee65f1']
export const buttons = [
  ...['stock', 'order', 'coupon', 'pay', 'lost', 'cancel', 'never', 'picture', 'script', 'work'],
  ...['shift', 'throw', 'reject', 'caught', 'track', 'sign-in'],
]
