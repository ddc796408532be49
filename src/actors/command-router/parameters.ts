// The parameter types that several operator commands share.

import { Type } from 'typebox'

/** 0 is the charge point as a whole. */
export const connectorOrAll = () =>
  Type.Integer({ minimum: 0, maximum: 1_000, description: '0 stands for all connectors.' })

export const connector = () => Type.Integer({ minimum: 1, maximum: 1_000 })

/** CiString20. */
export const idTag = () => Type.String({ minLength: 1, maxLength: 20 })

/** A positive or negative 32-bit integer, as many charge points hold one. */
export const integer32 = () => Type.Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647 })

export const dateTime = (description?: string) =>
  Type.String({ format: 'date-time', ...(description === undefined ? {} : { description }) })

export const url = (description: string) => Type.String({ format: 'uri', maxLength: 512, description })
