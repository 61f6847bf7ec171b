import HTTPTypes
import MartletWire

/// The OpenAPI 3.1 description of a table of routes.
struct OpenAPIDocument {
    /// The document.
    let json: JSONValue

    /// The document as JSON text with sorted keys.
    var bytes: [UInt8] { (try? json.json()).map(Array.init) ?? [] }

    /// Describes these routes and the document's own.
    init(routes: [Route]) {
        var documents: [String: DocumentSchema] = [:]
        var paths: [String: [String: JSONValue]] = [:]
        OpenAPIDocument.collect(.document(ErrorBody.self), into: &documents)
        for route in routes {
            for schema in [route.takes, route.shape.document].compactMap({ $0 }) {
                OpenAPIDocument.collect(Schema(kind: .document(schema)), into: &documents)
            }
            paths[route.path, default: [:]][route.method.rawValue.lowercased()] = OpenAPIDocument.operation(route)
        }
        paths["/openapi.json"] = ["get": OpenAPIDocument.ownOperation]
        json = [
            "openapi": "3.1.0",
            "info": [
                "title": "Martlet", "version": "1",
                "description": "Push notifications: what was sent, the results, and the reasons.",
            ],
            "paths": .object(paths.mapValues(JSONValue.object)),
            "components": [
                "schemas": .object(documents.mapValues(\.json)),
                "securitySchemes": [
                    "apiKey": ["type": "http", "scheme": "bearer", "description": "An API key: mk_…"],
                    "writeKey": [
                        "type": "apiKey", "in": "header", "name": "Authorization",
                        "description": "An API key as a Treasure Data write key: TD1 mk_…",
                    ],
                    "postbackKey": [
                        "type": "apiKey", "in": "header", "name": .string(HeaderName.treasureDataKey),
                        "description": "An API key as a Treasure Data write key: mk_…",
                    ],
                    "userToken": ["type": "http", "scheme": "bearer", "bearerFormat": "JWT"],
                ],
                "responses": [
                    "Error": [
                        "description": "What went wrong.",
                        "content": ["application/json": ["schema": ["$ref": "#/components/schemas/Error"]]],
                    ]
                ],
            ],
        ]
    }

    private static var ownOperation: JSONValue {
        [
            "summary": "This document.", "operationId": "getOpenapiJson", "security": [],
            "responses": ["200": content("application/json", ["type": "object"], "This document.")],
        ]
    }

    /// Adds every document that a schema refers to.
    private static func collect(_ schema: Schema, into documents: inout [String: DocumentSchema]) {
        guard let document = schema.document, documents.updateValue(document, forKey: document.name) == nil else {
            return
        }
        for field in document.fields { collect(field.schema, into: &documents) }
    }
}

extension OpenAPIDocument {
    private static func operation(_ route: Route) -> JSONValue {
        var operation: [String: JSONValue] = [
            "summary": .string(route.summary),
            "operationId": .string(operationID(route)),
            "responses": .object(responses(route)),
            "security": security(route.access),
        ]
        let parameters =
            route.pathParameters.map(pathParameter) + route.query.map(queryParameter)
            + headers(of: route).map { headerParameter($0.name, $0.summary) }
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        if let document = route.takes {
            operation["requestBody"] = [
                "required": true,
                "content": .object(
                    [route.uploads.first ?? "application/json": ["schema": document.reference]]
                ),
            ]
        }
        return .object(operation)
    }

    /// `GET /api/v1/apps/{app}/pauses` is `getAppsAppPauses`: the method and the path's words, unique like the two.
    private static func operationID(_ route: Route) -> String {
        let words = route.path.split { !$0.isLetter && !$0.isNumber }.drop { $0 == "api" || $0 == "v1" }
        return route.method.rawValue.lowercased() + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    private static func pathParameter(_ name: String) -> JSONValue {
        ["name": .string(name), "in": "path", "required": true, "schema": ["type": "string", "minLength": 1]]
    }

    private static func queryParameter(_ parameter: QueryParameter) -> JSONValue {
        [
            "name": .string(parameter.name), "in": "query", "description": .string(parameter.summary),
            "schema": parameter.schema.json,
        ]
    }

    private static func headerParameter(_ name: String, _ summary: String) -> JSONValue {
        ["name": .string(name), "in": "header", "description": .string(summary), "schema": ["type": "string"]]
    }

    /// The header fields that a route looks at, beside those of every request.
    static func headers(of route: Route) -> [(name: String, summary: String)] {
        var headers: [(name: String, summary: String)] = []
        if route.isIdempotent {
            headers.append((HeaderName.idempotencyKey, "A repeated request gets the first answer, for 24 hours."))
        }
        if route.takesRevision {
            headers.append(("If-Match", "The revision that the change is made on; another one is answered with 409."))
        }
        if case .events = route.shape {
            headers.append((HeaderName.lastEventID, "The id of the last event that the client has."))
        }
        if route.access == .registration {
            headers.append((HeaderName.installationSecret, "The secret that the registration returned."))
            headers.append((HeaderName.userToken, "The user's token, if the app's identity is signed."))
        }
        return headers
    }

    private static func security(_ access: Access) -> JSONValue {
        switch access {
        case .open: []
        case .admin, .send, .registration: [["apiKey": []]]
        case .ingest: [["writeKey": []], ["apiKey": []]]
        case .postback: [["postbackKey": []], ["apiKey": []]]
        case .devices: [["userToken": []], ["apiKey": []]]
        case .user: [["userToken": []]]
        }
    }

    private static func responses(_ route: Route) -> [String: JSONValue] {
        var responses: [String: JSONValue] = ["default": ["$ref": "#/components/responses/Error"]]
        for status in route.statuses { responses[String(status.code)] = success(route.shape) }
        return responses
    }

    private static func success(_ shape: AnswerShape) -> JSONValue {
        switch shape {
        case .item(let document):
            let schema: JSONValue = [
                "type": "object", "required": ["data"], "properties": ["data": document.reference],
                "additionalProperties": false,
            ]
            return content("application/json", schema, document.name)
        case .list(let document): return page(of: document)
        case .listOrFile(let document):
            var types = ["text/csv": ["schema": ["type": "string"]] as JSONValue]
            types.merge(page(of: document).objectValue?["content"]?.objectValue ?? [:]) { $1 }
            return ["description": "A page of a list, or all of it as CSV.", "content": .object(types)]
        case .bare(let document): return content("application/json", document.reference, document.name)
        case .events(let document):
            return content("text/event-stream", ["type": "string"], "Events whose data is \(document.name).")
        case .object: return content("application/json", ["type": "object"], "JSON.")
        case .text: return content("text/plain", ["type": "string"], "Text.")
        case .script: return content("text/javascript", ["type": "string"], "A script.")
        case .nothing: return ["description": "Done."]
        }
    }

    private static func page(of document: DocumentSchema) -> JSONValue {
        let schema: JSONValue = [
            "type": "object", "required": ["data"], "additionalProperties": false,
            "properties": [
                "data": ["type": "array", "items": document.reference],
                "next": ["type": "string", "description": "The cursor of the next page."],
            ],
        ]
        return content("application/json", schema, "A page of a list.")
    }

    private static func content(_ type: String, _ schema: JSONValue, _ summary: String) -> JSONValue {
        ["description": .string(summary), "content": [type: ["schema": schema]]]
    }
}

extension AnswerShape {
    /// The document in it.
    var document: DocumentSchema? {
        switch self {
        case .item(let document), .list(let document), .listOrFile(let document), .bare(let document),
            .events(let document):
            document
        case .object, .text, .script, .nothing: nil
        }
    }
}
