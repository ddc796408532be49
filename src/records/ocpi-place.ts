// What roaming partners are told of a site or a charge point beyond what the service itself needs (OCPI 2.2.1, 8.3 and 8.4), and whether they are
// told of it at all. Written by the API under its version.

import { defineTable } from '../runtime/store/table.js'
import type { OcpiBusinessDetails, OcpiImage } from './ocpi-party.js'

/** What is a location: a site, or a charge point that is in none. */
export const ocpiPlaceKinds = ['site', 'charge_point'] as const
export type OcpiPlaceKind = (typeof ocpiPlaceKinds)[number]

export interface OcpiDisplayText {
  readonly language: string
  readonly text: string
}

export interface OcpiPeriod {
  readonly period_begin: string
  readonly period_end: string
}

/** OCPI 2.2.1, 8.4.14. */
export interface OcpiHours {
  readonly twentyfourseven: boolean
  readonly regular_hours?: readonly {
    readonly weekday: number
    readonly period_begin: string
    readonly period_end: string
  }[]
  readonly exceptional_openings?: readonly OcpiPeriod[]
  readonly exceptional_closings?: readonly OcpiPeriod[]
}

/** What is said of one connector of a charge point. What is absent has a default. */
export interface OcpiConnectorDetails {
  readonly connector_id: number
  readonly evse_id?: string
  readonly physical_reference?: string
  readonly standard?: string
  readonly format?: string
  readonly power_type?: string
  /** Volts. */
  readonly max_voltage?: number
  /** Amperes. */
  readonly max_amperage?: number
  /** Watts. */
  readonly max_electric_power?: number
  readonly terms_and_conditions?: string
}

/** What is said of the place. */
export interface OcpiPlaceDetails {
  /** ISO 3166-1 alpha-2; absent for that of the organization. */
  readonly country?: string
  readonly city?: string
  readonly postal_code?: string
  readonly state?: string
  /** IANA; absent for that of the site, or of the organization. */
  readonly time_zone?: string
  readonly parking_type?: string
  readonly facilities?: readonly string[]
  readonly directions?: readonly OcpiDisplayText[]
  readonly opening_times?: OcpiHours
  readonly charging_when_closed?: boolean
  readonly images?: readonly OcpiImage[]
  readonly owner?: OcpiBusinessDetails
}

/** What is said of a charge point, wherever it stands. */
export interface OcpiEvseDetails {
  readonly capabilities?: readonly string[]
  readonly parking_restrictions?: readonly string[]
  readonly floor_level?: string
  readonly connectors?: readonly OcpiConnectorDetails[]
}

export interface OcpiPlace extends OcpiPlaceDetails, OcpiEvseDetails {
  readonly kind: OcpiPlaceKind
  /** Of the site, or the charge point. */
  readonly id: string
  readonly organization_id: string
  readonly version: number
  /** Of a charge point in a site, false takes it out of the location of its site, which is published as a whole. */
  readonly publish?: boolean
  readonly updated_at: string
}

export const ocpiPlacesTable = defineTable<OcpiPlace>({
  name: 'ocpi_places',
  key: (row) => [row.kind, row.id],
  indexes: { byOrganization: (row) => [{ group: [row.organization_id] }] },
})
