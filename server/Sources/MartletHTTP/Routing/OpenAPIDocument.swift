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
            "tags": .array(Set(routes.map(\.noun) + [Route.operations]).sorted().map { ["name": .string($0)] }),
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
            "summary": "This document.", "operationId": "getOpenapiJson", "tags": [.string(Route.operations)],
            "security": [],
            "responses": [
                "200": content("application/json", ["type": "object"], "This document."), "400": error, "503": error,
            ],
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
            "tags": [.string(route.noun)],
            "responses": .object(responses(route)),
            "security": security(route.access),
        ]
        let parameters =
            route.pathParameters.map(pathParameter) + route.query.map(queryParameter)
            + headers(of: route).map(headerParameter)
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        if let document = route.takes {
            let types = route.uploads.isEmpty ? ["application/json"] : route.uploads
            let content = types.map { ($0, ["schema": document.reference] as JSONValue) }
            operation["requestBody"] = [
                "required": true, "content": .object(Dictionary(uniqueKeysWithValues: content)),
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
        ["name": .string(name), "in": "path", "required": true, "schema": pathSchema(name).json]
    }

    /// What may stand in a path in place of a name in braces.
    private static func pathSchema(_ name: String) -> Schema {
        switch name {
        case "id": .uuid
        case "user": .userID
        case "key": .categoryKey
        case "platform": .platform
        case "environment": .words(of: EnvironmentName.self)
        default: .string.of(1...Int.max)
        }
    }

    private static func queryParameter(_ parameter: QueryParameter) -> JSONValue {
        [
            "name": .string(parameter.name), "in": "query", "description": .string(parameter.summary),
            "schema": parameter.schema.json,
        ]
    }

    private static func headerParameter(_ header: Header) -> JSONValue {
        [
            "name": .string(header.name), "in": "header", "description": .string(header.summary),
            "schema": header.schema.json,
        ]
    }

    /// A header field that a route looks at.
    typealias Header = (name: String, schema: Schema, summary: String)

    /// The header fields that a route looks at, beside those of every request.
    static func headers(of route: Route) -> [Header] {
        var headers: [Header] = []
        if route.isIdempotent {
            headers.append(
                (
                    HeaderName.idempotencyKey, .string.of(1...255, "^[ -~]+$"),
                    "A repeated request gets the first answer, for 24 hours."
                )
            )
        }
        if route.takesRevision {
            headers.append(
                (
                    "If-Match", .string.of(1...21, #"^(\*|[0-9]{1,18}|"[0-9]{1,18}")$"#),
                    "The revision that the change is made on; another one is answered with 409."
                )
            )
        }
        if case .events = route.shape {
            let revision = Schema.string.of(0...18, "^[0-9]*$")
            headers.append((HeaderName.lastEventID, revision, "The id of the last event that the client has."))
        }
        if route.access == .registration {
            headers.append((HeaderName.installationSecret, .string, "The secret that the registration returned."))
            headers.append((HeaderName.userToken, .string, "The user's token, if the app's identity is signed."))
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

    private static let error: JSONValue = ["$ref": "#/components/responses/Error"]

    private static func responses(_ route: Route) -> [String: JSONValue] {
        var responses: [String: JSONValue] = [:]
        for status in refusals(of: route) { responses[String(status)] = error }
        responses["431"] = ["description": "The path, the query and the header fields have more than 32 KiB."]
        for status in route.statuses { responses[String(status.code)] = success(route) }
        return responses
    }

    /// The statuses with which a route refuses a request.
    private static func refusals(of route: Route) -> [Int] {
        let names = route.query.map(\.name)
        let takesBody = route.takes != nil
        // A broken request, one that is too long; a server that is too busy, or cannot.
        var statuses = [400, 414, 500, 503]
        if route.access != .open { statuses += [401, 403] }
        if takesBody || !route.pathParameters.isEmpty || names.contains(QueryParameter.app.name) {
            statuses.append(404)
        }
        if route.method != .get { statuses.append(409) }
        if takesBody { statuses += [413, 415] }
        if takesBody || route.method == .post || !route.pathParameters.isEmpty || !names.isEmpty
            || !headers(of: route).isEmpty
        {
            statuses.append(422)
        }
        if [.registration, .ingest, .postback, .devices, .user].contains(route.access) { statuses.append(429) }
        return statuses
    }

    private static func success(_ route: Route) -> JSONValue {
        switch route.shape {
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
        // What comes as another type than JSON's own is answered in it.
        case .bare(let document):
            return content(route.uploads.first ?? "application/json", document.reference, document.name)
        case .events(let document):
            return content("text/event-stream", [:], "Events whose data is \(document.name).")
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
