/**
 * A row in the table of document 1, section 4. In addition to these statuses, every operation can return 200, 401 and
 * 403.
 */
export interface OperationRow {
  operation: number
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  also: readonly number[]
}

const rows = `
1  GET    /stg/us/contact/reason                                 404 500
2  GET    /stg/us/contact/reason/fields                          404 500
3  POST   /stg/us/cti/guest/token                                201 400 404 500
4  POST   /stg/us/customerFeedback                               201 400 404 500 503
5  GET    /stg/us/dealer/categories/{id}/children                404
6  GET    /stg/us/dealer/customers                               404
7  POST   /stg/us/dealer/customers                               201 404
8  POST   /stg/us/dealer/customers/ticket                        201 400 404
9  POST   /stg/us/dealer/customers/ticket/reschedule             201 404
10 DELETE /stg/us/dealer/customers/ticket/{srid}                 204
11 GET    /stg/us/dealer/customers/{customerId}/product          404
12 GET    /stg/us/dealer/customers/{customerId}/products         404
13 POST   /stg/us/dealer/customers/{id}                          201 404
14 POST   /stg/us/dealer/customers/{id}/products                 201 404
15 POST   /stg/us/dealer/dispute                                 201 404
16 GET    /stg/us/dealer/schedule                                404 500
17 GET    /stg/us/dealer/stores                                  404
18 GET    /stg/us/dealer/symptom                                 400 404 500
19 GET    /stg/us/dealer/tickets                                 404
20 GET    /stg/us/dealer/tickets/{id}                            404
21 GET    /stg/us/dealer/troubleshooting                         400 404 500
22 POST   /stg/us/guest/customerFeedback                         201 400 404 500 503
23 POST   /stg/us/guest/product/validation                       201 400 404 500
24 GET    /stg/us/guest/product/validation/{deviceId}            404 500
25 GET    /stg/us/guest/schedule                                 404 500
26 POST   /stg/us/guest/serviceRequest/asset/symptomImage        201 400 404 500
27 GET    /stg/us/guest/symptom                                  400 404 500
28 GET    /stg/us/guest/symptom/changeColor                      404 500
29 GET    /stg/us/guest/troubleshooting                          400 404 500
30 GET    /stg/us/guest/zipCode                                  400 404 500
31 DELETE /stg/us/instore/cancel                                 204 400 404 500
32 GET    /stg/us/instore/checkmobile                            400 404 500
33 POST   /stg/us/instore/create                                 201 400 404 500
34 GET    /stg/us/instore/detail                                 204 400 404 500
35 DELETE /stg/us/instore/noauth/emailcancel                     204 400 404 500
36 GET    /stg/us/instore/noauth/nearest                         400 404 500
37 GET    /stg/us/instore/noauth/slots                           400 404 500
38 GET    /stg/us/instore/noauth/symptoms                        400 404 500
39 GET    /stg/us/instore/noauth/taxonomy                        400 404 500
40 GET    /stg/us/instore/noauth/taxonomyTree                    400 404 500
41 GET    /stg/us/instore/noauth/tsg
`

export const operationTable: readonly OperationRow[] = rows
  .trim()
  .split('\n')
  .map((row) => {
    const [operation, method, path, ...also] = row.trim().split(/\s+/)
    return { operation: Number(operation), method: method as 'GET', path: path!, also: also.map(Number) }
  })
