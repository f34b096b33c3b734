// An environment of Flagsmith as its server hands it out: toggles, values, variants, segments that override, overrides of
// identities, and a feature for servers alone.

import type { FlagsmithDocument } from '@telltale/core/contract/flagsmith'

export const apiKey = 'tTseedClientKey0000001'

const feature = (id: number, name: string, type = 'STANDARD') => ({ id, name, type })
const option = (id: number, value: string, key: string) => ({ id, value, key })

export const flagsmithDocument: FlagsmithDocument = {
  id: 7,
  api_key: apiKey,
  name: 'Production',
  hide_disabled_flags: null,
  hide_sensitive_data: false,
  allow_client_traits: true,
  project: {
    id: 3,
    name: 'Web shop',
    hide_disabled_flags: false,
    server_key_only_feature_ids: [110],
    organisation: { persist_trait_data: true },
    segments: [
      {
        id: 501,
        name: 'grown_ups',
        rules: [
          {
            type: 'ALL',
            rules: [
              {
                type: 'ANY',
                rules: [],
                conditions: [
                  { operator: 'GREATER_THAN_INCLUSIVE', property_: 'age', value: '18' },
                  { operator: 'IN', property_: 'plan', value: 'pro,enterprise' },
                ],
              },
            ],
            conditions: [],
          },
        ],
        feature_states: [
          {
            feature: feature(101, 'dark_mode'),
            enabled: true,
            django_id: 9_101,
            feature_state_value: null,
            feature_segment: { priority: 1 },
          },
          {
            feature: feature(102, 'Max Items'),
            enabled: false,
            django_id: 9_102,
            feature_state_value: 50,
            feature_segment: { priority: 1 },
          },
        ],
      },
      {
        id: 503,
        name: 'a quarter',
        rules: [
          {
            type: 'ALL',
            rules: [],
            conditions: [{ operator: 'PERCENTAGE_SPLIT', property_: '', value: '25' }],
          },
        ],
        feature_states: [
          {
            feature: feature(102, 'Max Items'),
            enabled: true,
            django_id: 9_103,
            feature_state_value: 25,
            feature_segment: { priority: 0 },
          },
        ],
      },
    ],
  },
  feature_states: [
    { feature: feature(101, 'dark_mode'), enabled: false, django_id: 8_101, feature_state_value: null },
    { feature: feature(102, 'Max Items'), enabled: true, django_id: 8_102, feature_state_value: 10 },
    {
      feature: feature(107, 'button_colour', 'MULTIVARIATE'),
      enabled: true,
      django_id: 8_107,
      feature_state_value: 'grey',
      multivariate_feature_state_values: [
        { id: 71, percentage_allocation: 30, multivariate_feature_option: option(61, 'red', 'red') },
        { id: 72, percentage_allocation: 20, multivariate_feature_option: option(62, 'blue', 'blue') },
      ],
    },
    {
      feature: feature(108, 'thirds', 'MULTIVARIATE'),
      enabled: false,
      django_id: 8_108,
      feature_state_value: '{"kind":"rest"}',
      multivariate_feature_state_values: [
        { id: 81, percentage_allocation: 33.33, multivariate_feature_option: option(63, 'one', 'one') },
        { id: 82, percentage_allocation: 33.33, multivariate_feature_option: option(64, 'two', 'two') },
      ],
    },
    { feature: feature(109, 'switched_off'), enabled: false, django_id: 8_109, feature_state_value: 'kept' },
    { feature: feature(110, 'backend_only'), enabled: true, django_id: 8_110, feature_state_value: null },
  ],
  identity_overrides: [
    {
      identifier: 'vip',
      identity_features: [
        { feature: feature(101, 'dark_mode'), enabled: true, django_id: 7_101, feature_state_value: null },
        {
          feature: feature(107, 'button_colour', 'MULTIVARIATE'),
          enabled: true,
          django_id: 7_107,
          feature_state_value: 'gold',
        },
      ],
    },
  ],
}
