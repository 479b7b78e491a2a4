package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"strconv"
	"strings"
)

// Printers that the kind's registry does not use: it shows the usual two columns.
var unused = map[string]bool{"CSIStorageCapacity": true}

// The columns of each kind: what printers.go registers with TableHandler. A column is
// NAME:TYPE:FORMAT:PRIORITY, underscores for blanks, what is usual (string, no format, 0) left out.
func readColumns(file string) []entry {
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		log.Fatal(err)
	}
	lists := map[string][]string{} // by variable
	var entries []entry
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			name, ok := n.Lhs[0].(*ast.Ident)
			if !ok {
				return true
			}
			before := []string{}
			value := n.Rhs[0]
			if call, ok := value.(*ast.CallExpr); ok && len(call.Args) == 2 { // append(before, …)
				before, value = lists[name.Name], call.Args[1]
			}
			if list, ok := value.(*ast.CompositeLit); ok && isColumns(list) {
				lists[name.Name] = append(before, columnsOf(list)...)
			}
		case *ast.CallExpr:
			called, ok := n.Fun.(*ast.SelectorExpr)
			if !ok || called.Sel.Name != "TableHandler" {
				return true
			}
			printer := n.Args[1].(*ast.Ident).Name
			kind := strings.TrimPrefix(printer, "print")
			if strings.HasSuffix(kind, "Webhook") {
				kind += "Configuration"
			}
			if columns := lists[n.Args[0].(*ast.Ident).Name]; !strings.HasSuffix(kind, "List") && !unused[kind] {
				entries = append(entries, append(entry{kind}, columns...))
			}
		}
		return true
	})
	return entries
}

func isColumns(list *ast.CompositeLit) bool {
	array, ok := list.Type.(*ast.ArrayType)
	if !ok {
		return false
	}
	element, ok := array.Elt.(*ast.SelectorExpr)
	return ok && element.Sel.Name == "TableColumnDefinition"
}

func columnsOf(list *ast.CompositeLit) []string {
	var columns []string
	for _, element := range list.Elts {
		values := map[string]string{}
		for _, part := range element.(*ast.CompositeLit).Elts {
			pair := part.(*ast.KeyValueExpr)
			if literal, ok := pair.Value.(*ast.BasicLit); ok {
				text := literal.Value
				if literal.Kind == token.STRING {
					text, _ = strconv.Unquote(text)
				}
				values[pair.Key.(*ast.Ident).Name] = text
			}
		}
		text := strings.ReplaceAll(values["Name"], " ", "_")
		kind := values["Type"]
		if kind == "string" {
			kind = ""
		}
		for _, more := range []string{kind, values["Format"], values["Priority"]} {
			text += ":" + more
		}
		columns = append(columns, strings.TrimRight(text, ":"))
	}
	if len(columns) == 0 {
		log.Fatal(fmt.Errorf("a kind without columns"))
	}
	return columns
}
